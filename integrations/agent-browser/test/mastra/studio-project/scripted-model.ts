export * from '../../../examples/scripted-model.ts';
