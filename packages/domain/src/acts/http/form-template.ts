import { type TemplateSyntax, tokenizeTemplate } from '../../template/tokenize.ts'

interface FormField {
  name: string
  value: string
}

/** A form is written as lines of `name=value`; empty lines are none. */
export function fieldsOfForm(source: string): FormField[] {
  return source
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf('=')
      return at === -1
        ? { name: line.trim(), value: '' }
        : { name: line.slice(0, at).trim(), value: line.slice(at + 1) }
    })
}

/** What keeps a text from being sent as a form, whatever its references stand for; undefined: nothing. */
export function findFormFault(source: string, syntax: TemplateSyntax): string | undefined {
  for (const { name } of fieldsOfForm(source)) {
    if (name === '') return 'Each line of a form is a name, an equals sign and a value.'
    const reference = tokenizeTemplate(name, syntax).find(({ kind }) => kind !== 'text')
    if (reference) return `${reference.raw} can’t stand in the name of a field.`
  }
  return undefined
}
