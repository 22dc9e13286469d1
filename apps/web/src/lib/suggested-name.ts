import { useState } from 'react'
import * as z from 'zod'

const suggestion = z.object({ name: z.string() })

/** The name that a new item's form begins with: what was typed into the palette. */
export function useSuggestedName(): string {
  const [name] = useState(() => suggestion.safeParse(window.history.state).data?.name ?? '')
  return name
}
