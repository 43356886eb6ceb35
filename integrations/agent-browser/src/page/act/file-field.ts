/** The types that a file input takes, and the files that it holds. */
export interface FileField {
  /** The attribute of that name: extensions and types, divided by commas. */
  accept: string;
  multiple: boolean;
  /** It takes a folder. */
  folder: boolean;
  disabled: boolean;
  /** Sizes in bytes. */
  files: { name: string; size: number; type: string }[];
}
