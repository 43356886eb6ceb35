export { type ContractOptions, type ContractSubject, describeBrowserToolsetLike } from './contract.js';
export { FakeBrowserToolset, type InjectedEvent } from './fake.js';
export { FAKE_FRAME } from './fake-frame.js';
export { expectJpegFrame, StreamRecorder } from './stream-recorder.js';
