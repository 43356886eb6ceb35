// Fails where neither packages nor the site can be published from here: the root's package.json does not say yet where the repository is.
import { notReleasable } from './packaging/addresses.mjs';
import { manifestIn } from './packaging/published.mjs';

const { repository } = await manifestIn('.');
const reason = notReleasable(repository.url, process.env.GITHUB_REPOSITORY);
if (reason !== undefined) {
  console.error(`✗ ${reason}`);
  process.exitCode = 1;
}
