import type * as z from 'zod'

const PREFIX = 'catenary.inputs.'

/** What was typed for something, until the browser's tab is closed or its person logs out. */
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

/** Null: nothing is typed any more. */
export function keepInputs({ key, inputs }: { key: string; inputs: object | null }): void {
  try {
    if (inputs === null) sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(inputs))
  } catch {}
}

export function forgetInputs(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {}
}
