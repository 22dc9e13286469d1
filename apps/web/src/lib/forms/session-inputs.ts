import type * as z from 'zod'
import { readStored } from './read-stored.ts'

const PREFIX = 'catenary.inputs.'

export function readInputs<Schema extends z.ZodType>({ key, schema }: { key: string; schema: Schema }) {
  return readStored({ storage: () => sessionStorage, key: PREFIX + key, schema })
}

export function keepInputs({ key, inputs }: { key: string; inputs: object | null }): void {
  try {
    if (inputs === null) sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(inputs))
  } catch {}
}
