export interface Syntax {
  owner: string
  words: ReadonlySet<string>
  /** A name has no spaces: what stands after one is asked of a helper. */
  hasHelpers?: true
  hasBlocks?: true
  /** Nobody there fills in braces: turning them into variables gets a line in the report, and code stays code. */
  isForeign?: true
  /** `{{name | field}}` asks a person for the name. */
  hasFields?: true
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
