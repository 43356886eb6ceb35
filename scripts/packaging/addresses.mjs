/** The owner in the root's `repository` until the repository has an address. */
const PLACEHOLDER = 'OWNER';

/**
 * The fields of a package that tell where it is from, out of the root's `repository`: the one place where the address stands.
 * @param {string} repository such as `git+https://github.com/OWNER/browser-toolset.git`
 * @param {string} folder of the package, from the root
 */
export function addressesOf(repository, folder) {
  const site = webAddressOf(repository);
  return {
    homepage: `${site}/tree/main/${folder}#readme`,
    bugs: `${site}/issues`,
    repository: { type: 'git', url: repository, directory: folder },
  };
}

/**
 * Why packages with this address cannot be released. Provenance says which repository built a package: the registry refuses
 * one that names another.
 * @param {string} repository
 * @param {string | undefined} building `owner/name` of the repository whose workflow runs
 * @returns {string | undefined}
 */
export function notReleasable(repository, building) {
  const site = webAddressOf(repository);
  if (site.split('/').includes(PLACEHOLDER))
    return `"repository" of the root's package.json is still a placeholder: ${repository}. Put the address there, then run \`npm run gen\`.`;
  if (building !== undefined && site !== `https://github.com/${building}`)
    return `"repository" of the root's package.json is ${site}, and this is ${building}.`;
  return undefined;
}

/**
 * Where the repository is read in a browser.
 * @param {string} repository as in `addressesOf`
 */
export function webAddressOf(repository) {
  return repository.replace(/^git\+/, '').replace(/\.git$/, '');
}

/**
 * Where GitHub Pages serves the documentation of a repository: below its name, but for the one repository that is named as the host.
 * @param {string} repository as in `addressesOf`
 * @returns {{ origin: string, base: string }} `base` is the path, with a slash at each end
 */
export function siteOf(repository) {
  const [owner = '', name = ''] = webAddressOf(repository).split('/').slice(-2);
  const host = `${owner.toLowerCase()}.github.io`;
  return { origin: `https://${host}`, base: name.toLowerCase() === host ? '/' : `/${name}/` };
}
