export function bundlePage(): Promise<void>;
