/** What the braces of a text mean to the program that it comes from. */
export interface Syntax {
  /** Whose words they are, in a line of the report. */
  owner: string
  /** Words of the language, which are no names of variables. */
  words: ReadonlySet<string>
  /** A name has no spaces: what stands after one is asked of a helper. */
  hasHelpers?: true
  /** Blocks `{% … %}` and comments `{# … #}` mean something. */
  hasBlocks?: true
  /** Nobody fills braces in there: that they become variables here needs a line, and code stays code. */
  isForeign?: true
  /** `{{name | field}}` asks a person for the name. */
  hasFields?: true
  /** Names that the program gives a value by itself. */
  byItself?: RegExp
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const JINJA = 'true false none True False None loop super self caller varargs kwargs else end endif endfor'
const HANDLEBARS =
  'this else end each if unless with lookup log true false null undefined history media json role section ' +
  'ifEquals unlessEquals'

export const SYNTAXES = {
  langfuse: { owner: 'Langfuse', words: new Set() },
  openai: { owner: 'OpenAI', words: new Set() },
  'open-webui': {
    owner: 'Open WebUI',
    words: new Set(),
    hasFields: true,
    byItself: /^(CURRENT_[A-Z]+|CLIPBOARD|USER_[A-Z]+)$/,
  },
  promptfoo: {
    owner: 'promptfoo',
    words: words(`${JINJA} env _conversation __prompt`),
    hasHelpers: true,
    hasBlocks: true,
  },
  prompty: { owner: 'Prompty', words: words(JINJA), hasHelpers: true, hasBlocks: true },
  dotprompt: { owner: 'dotprompt', words: words(HANDLEBARS), hasHelpers: true },
  markdown: {
    owner: 'a template',
    words: words(`${JINJA} this null undefined`),
    hasBlocks: true,
    isForeign: true,
  },
} as const satisfies Record<string, Syntax>
