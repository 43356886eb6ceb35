const CONTROL =
  /^[~+ ]*(?:clickable|button|link|textbox|searchbox|combobox|checkbox|radio|switch|slider|spinbutton|tab|menuitem|option|treeitem|img) @e\d+(.*)$/;

/** Lines of a result that name a control by its role alone: no name, no value, no hint, nothing inside that says it. */
export function namelessIn(text: string): string[] {
  return text.split('\n').filter(line => {
    const [, rest] = CONTROL.exec(line) ?? [];
    return rest !== undefined && !/["[\]=:]|\bof\b/.test(rest);
  });
}
