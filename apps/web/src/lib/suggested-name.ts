import { useState } from 'react'
import * as z from 'zod'

const suggestion = z.object({ name: z.string() })

export function useSuggestedName(): string {
  const [name] = useState(() => suggestion.safeParse(window.history.state).data?.name ?? '')
  return name
}
