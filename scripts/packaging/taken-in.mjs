/** Packages of this repository that are not published: `integrations/agent-browser` takes in what they build. */
export const TAKEN_IN = ['egress', 'live', 'page-engine'];
