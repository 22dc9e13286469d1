export interface InputField {
  /** With its first dot: `.issue.title`. */
  path: string
  value: string
}

/** As many as anyone reads. */
const FIELDS_MAX = 500
const NAME = /^[A-Za-z0-9_]+$/

/** What references can take of an input that is an object or a list; undefined: it is a text. */
export function inputFields(input: string): InputField[] | undefined {
  const value = parse(input)
  if (typeof value !== 'object' || value === null) return undefined
  const fields: InputField[] = []
  collect({ path: '', value }, fields)
  return fields
}

function collect({ path, value }: { path: string; value: unknown }, fields: InputField[]): void {
  if (fields.length >= FIELDS_MAX) return
  if (typeof value !== 'object' || value === null) {
    fields.push({ path, value: String(value) })
    return
  }
  for (const [name, inner] of Object.entries(value))
    if (NAME.test(name)) collect({ path: `${path}.${name}`, value: inner }, fields)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
