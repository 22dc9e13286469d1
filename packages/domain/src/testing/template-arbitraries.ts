import fc from 'fast-check'

/** Names that would reach a prototype if a look-up were careless, beside ordinary ones. */
export const anyName = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'tone',
    'Tone',
    '0',
    '_',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ),
  fc.stringMatching(/^[A-Za-z0-9_]{1,12}$/),
)

const fragment = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('$', '<', '>', '{', '}', '$<', '{{', '}}', '$<>', '{{}}', ' ', '\n'),
  },
  { weight: 2, arbitrary: anyName },
  { weight: 2, arbitrary: anyName.map((name) => `$<${name}>`) },
  { weight: 2, arbitrary: anyName.map((name) => `{{${name}}}`) },
  { weight: 1, arbitrary: fc.constantFrom('$&', '$1', '$$', 'é', '名', '👋', '\ud800', '\0') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
)

/** Text dense in marks, half marks and references. */
export const anyTemplate = fc.array(fragment, { maxLength: 24 }).map((fragments) => fragments.join(''))

/** Values whose text is itself full of references, for the names that templates use. */
export const anyValues = fc
  .array(fc.tuple(anyName, anyTemplate), { maxLength: 12 })
  .map((entries) => new Map(entries))

/** Two megabytes each; together they hold a scanner that starts over at each mark beyond the time limit of a test. */
export const HOSTILE_TEMPLATES = ['$<', '{', '$<a', '{{a', '$<{{', '$<a b'].map((unit) =>
  unit.repeat(Math.ceil(2_000_000 / unit.length)),
)
