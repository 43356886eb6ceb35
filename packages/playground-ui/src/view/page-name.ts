/** A person's name for a page: its title, else the host of its url. */
export function pageNameOf({ title, url }: { title?: string | undefined; url?: string | undefined }): string {
  if (title) return title;
  if (!url || url === 'about:blank') return 'New tab';
  const { host } = URL.canParse(url) ? new URL(url) : { host: '' };
  return host || url;
}
