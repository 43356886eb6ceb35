export { type DemoSite, startDemoSite } from './demo-site.js';
export type { Order } from './shop/orders.js';
