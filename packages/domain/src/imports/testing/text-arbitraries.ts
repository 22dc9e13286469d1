import fc from 'fast-check'

/** What some program gives a meaning, or what looks like it; `¤` stands for the dollar before a brace. */
const MEANT = [
  ...['{{name}}', '{{ name }}', '{{{name}}}', '{{-name-}}', '{{customer-name}}', '{{customer_name}}'],
  ...[
    '{{customer.name}}',
    '{{Größe x}}',
    '{{Имя}}',
    '{{1}}',
    '{{}}',
    '{{ }}',
    '{{history}}',
    '{{end}}',
    '{{else}}',
  ],
  ...[
    '{{this}}',
    '{{@index}}',
    '{{#if a}}',
    '{{/if}}',
    '{{#each items}}',
    '{{/each}}',
    '{{> part}}',
    '{{! no }}',
  ],
  ...[
    '{{&raw}}',
    '{{a | upper}}',
    '{{tone | select:options=["formal","casual {very}"]:required}}',
    '{{CURRENT_DATE}}',
  ],
  ...[
    '{{env.KEY}}',
    '{{loop.index}}',
    '{{true}}',
    '{% for a in b %}',
    '{% endfor %}',
    '{% if a %}',
    '{# a #}',
    '{# x',
  ],
  ...[
    '{{',
    '}}',
    '{',
    '}',
    '{{{{',
    '{{a {{b}}',
    '{{"a": {"b": 1}}}',
    '¤{{ secrets.X }}',
    '¤{{price}}',
    '\\{{name}}',
  ],
  ...['$<own>', '$<', '$1', '$2', '$3', '$9', '\\$1', '$12', '$5 per month', '$1.50', '$ARGUMENTS', '"$@"'],
  ...[
    '¤{name}',
    '¤{Ürün Adı:elma}',
    '¤{product-name}',
    '¤{product name}',
    '¤{input:file:Which?}',
    '¤{input:file}',
  ],
  ...['¤{selection}', '¤{HOME}', '!`git status`', '@src/a.ts', '`$1`', '`{{name}}`', '```\n$1 {{name}}\n```'],
  ...[
    '\nsystem:\n',
    '\nuser:\n',
    '\n    user:\n',
    '\n# User:\n',
    '```yaml\nuser:\n  a: 1\n```',
    'assistant:',
  ],
  ...[
    '{{role "user"}}',
    '{{role "system"}}',
    '@@@langfusePrompt:name=base|label=production@@@',
    '{"a": {"b": 1}}',
  ],
  ...['\n', '\n\n', '    ', '\t', ' ', ': ', '- ', '# ', '"', "'", '\\', '🙂', 'text'],
].map((piece) => piece.replace('¤', '$'))

/** Texts of prompts: words between what means something. */
export const anyPromptText = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...MEANT) }, fc.string({ maxLength: 6 })), {
    minLength: 1,
    maxLength: 9,
  })
  .map((parts) => `Begin ${parts.join(' ')} end`.replaceAll('\r', ''))
  .filter((text) => text.isWellFormed() && !text.includes('\0'))
