import type { CommonResult } from '../../outcome/result.js';

/** Stands for the result of a call whose run waits: there is none yet. */
export const SUSPENDED: CommonResult = Object.freeze({ success: true });
