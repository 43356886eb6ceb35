/** A schema as it stands in a request. */
type Node = Record<string, unknown>;

/** A place of a schema, and what is wrong there. */
type Violation = string;

interface Rules {
  /** Where the rules are published. */
  source: string;
  check(schema: Node): Violation[];
}

/**
 * What providers say of the schemas that they take, as of November 2026: the limits that a request of ours could break. The
 * checks know nothing of how a schema is made.
 */
export const PROVIDER_RULES: Readonly<Record<'openaiStrict' | 'anthropicTool' | 'google' | 'jsonSchema', Rules>> = {
  openaiStrict: {
    source: 'https://platform.openai.com/docs/guides/structured-outputs#supported-schemas',
    check(schema) {
      const known = ['type', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'enum', 'const'];
      const limits = ['pattern', 'format', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'];
      const keywords = new Set([...known, ...limits, 'minItems', 'maxItems', 'description', 'title', '$ref', '$defs']);
      const nodes = [...nodesIn(schema)];
      const count = nodes.reduce((sum, { node }) => sum + Object.keys(propertiesOf(node)).length, 0);
      const values = nodes.flatMap(({ node }) => (node.enum as unknown[] | undefined) ?? []);
      return [
        ...rule(schema.type !== 'object' || 'anyOf' in schema, 'the root is no plain object'),
        ...rule(count > 5_000, `${count} properties`),
        ...rule(values.length > 1_000, `${values.length} values of enums`),
        ...nodes.flatMap(({ node, at, depth }) => [
          ...Object.keys(node).flatMap(key => rule(!keywords.has(key), `${at}: ${key}`)),
          ...rule(!('type' in node || 'anyOf' in node || '$ref' in node), `${at}: no type`),
          ...rule('$ref' in node && Object.keys(node).length > 1, `${at}: words beside $ref`),
          ...rule(depth > 10, `${at}: ${depth} levels`),
          ...(isObject(node)
            ? [
                ...rule(node.additionalProperties !== false, `${at}: open`),
                ...rule(!sameSet(node.required, Object.keys(propertiesOf(node))), `${at}: not all are required`),
              ]
            : []),
          ...rule(isList(node) && !('items' in node), `${at}: a list of anything`),
        ]),
      ];
    },
  },
  anthropicTool: {
    source: 'https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use#specifying-client-tools',
    check: schema => [
      ...rule(schema.type !== 'object', 'the root is no object'),
      ...['anyOf', 'oneOf', 'allOf'].flatMap(key => rule(key in schema, `${key} at the root`)),
      ...PROVIDER_RULES.jsonSchema.check(schema),
    ],
  },
  google: {
    source: 'https://ai.google.dev/api/caching#Schema',
    check(schema) {
      const texts = ['type', 'format', 'title', 'description', 'nullable', 'enum', 'pattern', 'example', 'default'];
      const sizes = ['maxItems', 'minItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength'];
      const more = ['properties', 'required', 'propertyOrdering', 'anyOf', 'items', 'minimum', 'maximum'];
      const keywords = new Set([...texts, ...sizes, ...more]);
      return [...nodesIn(schema)].flatMap(({ node, at }) => [
        ...Object.keys(node).flatMap(key => rule(!keywords.has(key), `${at}: ${key}`)),
        ...rule(Array.isArray(node.type), `${at}: several types`),
        ...rule(!('type' in node || 'anyOf' in node), `${at}: no type`),
        ...rule(isObject(node) && Object.keys(propertiesOf(node)).length === 0, `${at}: no properties`),
        ...rule(isList(node) && !('items' in node), `${at}: a list of anything`),
        ...rule('enum' in node && (node.type !== 'string' || !textsOnly(node.enum)), `${at}: enum of no texts`),
      ]);
    },
  },
  jsonSchema: {
    source: 'https://json-schema.org/draft/2020-12/json-schema-validation',
    check: schema =>
      [...nodesIn(schema)].flatMap(({ node, at }) => [
        ...rule('nullable' in node, `${at}: nullable`),
        ...rule('propertyNames' in node, `${at}: propertyNames`),
        ...rule('enum' in node && (node.enum as unknown[]).length === 0, `${at}: an empty enum`),
        ...((node.required ?? []) as string[]).flatMap(name =>
          rule(!(name in propertiesOf(node)), `${at}: ${name} is required and unknown`),
        ),
      ]),
  },
};

function rule(isBroken: boolean, what: string): Violation[] {
  return isBroken ? [what] : [];
}

interface Place {
  node: Node;
  at: string;
  /** Objects around it. */
  depth: number;
}

function* nodesIn(node: Node, at = '#', depth = 0): Generator<Place> {
  yield { node, at, depth };
  const below = depth + (isObject(node) ? 1 : 0);
  for (const [name, inner] of Object.entries(propertiesOf(node))) yield* nodesIn(inner, `${at}/${name}`, below);
  for (const [name, inner] of Object.entries((node.$defs ?? {}) as Record<string, Node>))
    yield* nodesIn(inner, `${at}/$defs/${name}`, below);
  for (const inner of [node.items ?? []].flat() as Node[]) yield* nodesIn(inner, `${at}[]`, below);
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    for (const [i, inner] of ((node[key] ?? []) as Node[]).entries()) yield* nodesIn(inner, `${at}/${key}${i}`, below);
}

function propertiesOf(node: Node): Record<string, Node> {
  return (node.properties ?? {}) as Record<string, Node>;
}

function isObject({ type }: Node): boolean {
  return [type].flat().includes('object');
}

function isList({ type }: Node): boolean {
  return [type].flat().includes('array');
}

function sameSet(one: unknown, other: readonly string[]): boolean {
  return Array.isArray(one) && one.length === other.length && other.every(name => one.includes(name));
}

function textsOnly(values: unknown): boolean {
  return Array.isArray(values) && values.every(value => typeof value === 'string');
}
