import type * as z from 'zod'

const PREFIX = 'catenary.inputs.'

export function readInputs<Schema extends z.ZodType>({
  key,
  schema,
}: {
  key: string
  schema: Schema
}): z.output<Schema> | null {
  try {
    const text = sessionStorage.getItem(PREFIX + key)
    return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)
  } catch {
    return null
  }
}

export function keepInputs({ key, inputs }: { key: string; inputs: object | null }): void {
  try {
    if (inputs === null) sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(inputs))
  } catch {}
}
