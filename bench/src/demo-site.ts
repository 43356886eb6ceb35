interface DemoSite {
  url: string;
  close(): Promise<void>;
}

const built = new URL('../../packages/playground/dist/demo-site/index.js', import.meta.url).href;

/** The shop of the playground, from its build. */
export async function startDemoSite(): Promise<DemoSite> {
  const demoSite = (await import(built)) as { startDemoSite(): Promise<DemoSite> };
  return demoSite.startDemoSite();
}
