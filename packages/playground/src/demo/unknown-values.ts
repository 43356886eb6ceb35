export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function asError(error: unknown): Error {
  if (error instanceof Error) return error;
  const { message } = asRecord(error);
  return new Error(typeof message === 'string' ? message : String(error));
}
