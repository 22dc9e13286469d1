import type * as z from 'zod'

interface Stored<Schema> {
  /** Asked for when it is read: a browser may refuse it. */
  storage: () => Storage
  key: string
  schema: Schema
}

/** What is kept under a key, as far as it still has that form. */
export function readStored<Schema extends z.ZodType>({
  storage,
  key,
  schema,
}: Stored<Schema>): z.output<Schema> | null {
  try {
    const text = storage().getItem(key)
    return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)
  } catch {
    return null
  }
}
