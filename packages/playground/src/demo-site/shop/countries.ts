export interface Country {
  readonly code: string;
  readonly name: string;
  /** An HTML `pattern`: it is anchored at both ends. */
  readonly postalPattern: string;
  readonly postalExample: string;
}

export const COUNTRIES: readonly Country[] = [
  { code: 'CA', name: 'Canada', postalPattern: '[A-Za-z]\\d[A-Za-z] ?\\d[A-Za-z]\\d', postalExample: 'V6B 1A1' },
  { code: 'DK', name: 'Denmark', postalPattern: '\\d{4}', postalExample: '8000' },
  { code: 'DE', name: 'Germany', postalPattern: '\\d{5}', postalExample: '20095' },
  { code: 'NO', name: 'Norway', postalPattern: '\\d{4}', postalExample: '5003' },
  { code: 'PT', name: 'Portugal', postalPattern: '\\d{4}-\\d{3}', postalExample: '4000-322' },
  {
    code: 'GB',
    name: 'United Kingdom',
    postalPattern: '[A-Za-z]{1,2}\\d[A-Za-z\\d]? ?\\d[A-Za-z]{2}',
    postalExample: 'PL1 2AA',
  },
  { code: 'US', name: 'United States', postalPattern: '\\d{5}(-\\d{4})?', postalExample: '04101' },
];

const BY_CODE = new Map(COUNTRIES.map(country => [country.code, country]));

export function findCountry(code: string): Country | undefined {
  return BY_CODE.get(code);
}

export function isPostalCode(country: Country, code: string): boolean {
  return new RegExp(`^(?:${country.postalPattern})$`).test(code);
}
