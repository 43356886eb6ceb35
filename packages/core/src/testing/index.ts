export { type ContractOptions, describeBrowserToolsetLike } from './contract.js';
export type { ContractSubject } from './contract-subject.js';
export { FakeBrowserToolset, type InjectedEvent } from './fake.js';
export { FAKE_FRAME } from './fake-frame.js';
export { expectJpegFrame, StreamRecorder } from './stream-recorder.js';
