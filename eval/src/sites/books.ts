export interface Book {
  id: string;
  title: string;
  author: string;
  year: number;
  language: string;
  pages: number;
  /** Copies that are in. */
  copies: number;
  shelf: string;
}

type BookRow = readonly [title: string, author: string, year: number, language: string, copies: number];

const ROWS: readonly BookRow[] = [
  ['The salt road', 'Mara Lindqvist', 1994, 'English', 2],
  ['Winter harbour', 'Mara Lindqvist', 2003, 'English', 0],
  ['Die Salzstraße', 'Mara Lindqvist', 1996, 'German', 1],
  ['Der Leuchtturm', 'Mara Lindqvist', 2011, 'German', 0],
  ['Das Kartenhaus', 'Mara Lindqvist', 2008, 'German', 3],
  ['The lighthouse', 'Mara Lindqvist', 2010, 'English', 1],
  ['A field guide to fog', 'Jonas Okafor', 1991, 'English', 1],
  ['Small engines', 'Jonas Okafor', 1998, 'English', 4],
  ['The clockmaker of Bruges', 'Inês Duarte', 1987, 'English', 2],
  ['O relojoeiro', 'Inês Duarte', 1985, 'Portuguese', 1],
  ['Paper rivers', 'Inês Duarte', 1999, 'English', 0],
  ['Rios de papel', 'Inês Duarte', 1997, 'Portuguese', 2],
  ['Bread without fear', 'Tom Hallam', 2015, 'English', 5],
  ['Soup', 'Tom Hallam', 2018, 'English', 1],
  ['Brot ohne Angst', 'Tom Hallam', 2017, 'German', 2],
  ['Bridges of the north', 'Aino Salmi', 1992, 'English', 1],
  ['Pohjoisen sillat', 'Aino Salmi', 1990, 'Finnish', 1],
  ['Knots and splices', 'Rory Kean', 1978, 'English', 3],
  ['The tide table', 'Rory Kean', 1995, 'English', 1],
  ['Birds of the estuary', 'Wen Li', 2001, 'English', 2],
  ['Mushrooms by colour', 'Wen Li', 2020, 'English', 0],
  ['Pilze nach Farben', 'Wen Li', 2021, 'German', 1],
  ['Letters from a ferry', 'Dina Petrov', 1993, 'English', 1],
  ['The quiet carriage', 'Dina Petrov', 2006, 'English', 2],
];

/** Every book of the library. */
export const BOOKS: readonly Book[] = ROWS.map(([title, author, year, language, copies], i) => ({
  id: `b${i + 1}`,
  title,
  author,
  year,
  language,
  copies,
  pages: 120 + ((i * 97) % 380),
  shelf: `${'ABCDEF'.charAt(i % 6)}-${10 + ((i * 13) % 80)}`,
}));
