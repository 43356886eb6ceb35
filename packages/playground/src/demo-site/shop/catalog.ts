export type Category = 'Kitchen' | 'Table' | 'Textiles' | 'Living';
type Tone = 'sea' | 'sand' | 'clay' | 'moss';

export interface Product {
  readonly slug: string;
  readonly name: string;
  readonly category: Category;
  /** Whole cents. */
  readonly price: number;
  /** Pieces left; 0 is sold out. */
  readonly stock: number;
  readonly tone: Tone;
  readonly summary: string;
  readonly material: string;
  readonly size: string;
}

type Details = Omit<Product, 'slug' | 'name' | 'category' | 'price'>;

export const CATEGORIES: readonly Category[] = ['Kitchen', 'Table', 'Textiles', 'Living'];

export const PRODUCTS: readonly Product[] = [
  product('Tidewater mug', 'Kitchen', 2400, {
    stock: 34,
    tone: 'sea',
    summary: 'A wide, steady mug in a blue that shifts like water at the pier. Holds a generous morning coffee.',
    material: 'Stoneware, food-safe glaze',
    size: '9 cm tall, 380 ml',
  }),
  product('Ember mug', 'Kitchen', 2400, {
    stock: 12,
    tone: 'clay',
    summary: 'The same steady mug, fired with iron oxide until it turns the red of a banked fire.',
    material: 'Stoneware, food-safe glaze',
    size: '9 cm tall, 380 ml',
  }),
  product('Kelp espresso mug', 'Kitchen', 1800, {
    stock: 7,
    tone: 'moss',
    summary: 'Small and thick-walled, so that a short coffee stays hot until the last sip.',
    material: 'Stoneware, matte glaze',
    size: '6 cm tall, 110 ml',
  }),
  product('Pier kettle', 'Kitchen', 8600, {
    stock: 0,
    tone: 'sand',
    summary: 'Pours where you point it. The handle is turned oak and stays cool on any hob.',
    material: 'Enamelled steel, oak',
    size: '1.2 litres',
  }),
  product('Oak cutting board', 'Kitchen', 5800, {
    stock: 21,
    tone: 'sand',
    summary: 'One piece of end-checked oak, oiled twice, with a hole to hang it by.',
    material: 'European oak, linseed oil',
    size: '42 by 26 cm',
  }),
  product('Driftwood spoon set', 'Kitchen', 3200, {
    stock: 16,
    tone: 'moss',
    summary: 'A spoon, a spatula and a ladle, carved to fit the corner of a pan.',
    material: 'Cherry wood',
    size: '30 cm each',
  }),
  product('Shoal bowl', 'Table', 3600, {
    stock: 28,
    tone: 'sea',
    summary: 'Deep enough for soup, wide enough for salad. Stacks with its siblings.',
    material: 'Stoneware, food-safe glaze',
    size: '18 cm across',
  }),
  product('Lantern plate', 'Table', 2800, {
    stock: 40,
    tone: 'sand',
    summary: 'A dinner plate with a low rim and a speckle that hides nothing and flatters everything.',
    material: 'Stoneware',
    size: '27 cm across',
  }),
  product('Salt jar', 'Table', 3000, {
    stock: 9,
    tone: 'clay',
    summary: 'Keeps a kilo of sea salt dry beside the stove. The lid is a snug slice of oak.',
    material: 'Earthenware, oak',
    size: '14 cm tall',
  }),
  product('Fog wool throw', 'Textiles', 12800, {
    stock: 6,
    tone: 'sea',
    summary: 'Woven loosely from undyed wool, for cold mornings on a bench outside.',
    material: 'Lambswool',
    size: '130 by 180 cm',
  }),
  product('Linen tea towel', 'Textiles', 1900, {
    stock: 55,
    tone: 'clay',
    summary: 'Dries glass without lint and gets softer every wash.',
    material: 'Washed linen',
    size: '50 by 70 cm',
  }),
  product('Harbor cushion', 'Textiles', 6400, {
    stock: 14,
    tone: 'moss',
    summary: 'Sailcloth stripes on a feather core. The cover comes off for washing.',
    material: 'Cotton canvas, feather',
    size: '50 by 50 cm',
  }),
  product('Beacon table lamp', 'Living', 14200, {
    stock: 5,
    tone: 'sand',
    summary: 'Warm light through a linen shade, on a base that will not be knocked over.',
    material: 'Oak, linen, brass',
    size: '46 cm tall',
  }),
  product('Dune vase', 'Living', 7200, {
    stock: 11,
    tone: 'clay',
    summary: 'Narrow at the neck, so that three stems look like a bouquet.',
    material: 'Unglazed stoneware',
    size: '24 cm tall',
  }),
  product('Cedar candle', 'Living', 3400, {
    stock: 30,
    tone: 'moss',
    summary: 'Fifty hours of cedar, salt and a little smoke.',
    material: 'Soy wax, cotton wick',
    size: '220 g',
  }),
  product('Net basket', 'Living', 4800, {
    stock: 0,
    tone: 'sea',
    summary: 'Knotted by net makers in the off season. Carries logs, toys or lemons.',
    material: 'Jute rope',
    size: '32 cm across',
  }),
  product('Oak step stool', 'Living', 16500, {
    stock: 4,
    tone: 'sand',
    summary: 'Two steps up to the top shelf, and a seat by the door the rest of the time.',
    material: 'European oak',
    size: '40 cm tall',
  }),
  product('Slack tide clock', 'Living', 9200, {
    stock: 8,
    tone: 'sea',
    summary: 'A silent movement behind a plain face: it tells the time and nothing else.',
    material: 'Powder-coated steel',
    size: '28 cm across',
  }),
];

const BY_SLUG = new Map(PRODUCTS.map(entry => [entry.slug, entry]));

export function findProduct(slug: string): Product | undefined {
  return BY_SLUG.get(slug);
}

export function relatedTo(wanted: Product): Product[] {
  return PRODUCTS.filter(entry => entry.category === wanted.category && entry !== wanted).slice(0, 3);
}

function product(name: string, category: Category, price: number, details: Details): Product {
  return { slug: name.toLowerCase().replaceAll(' ', '-'), name, category, price, ...details };
}
