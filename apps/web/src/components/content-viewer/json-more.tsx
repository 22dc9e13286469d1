import { useState } from 'react'
import { Button } from '../ui/button.tsx'

const FIRST = 100
const MORE = 1_000

/** How much of a long list is shown, and what shows more of it. */
export function useShown(size: number): { shown: number; more: ShowMoreProps } {
  const [shown, setShown] = useState(FIRST)
  return { shown, more: { left: size - shown, onShow: () => setShown(shown + MORE) } }
}

interface ShowMoreProps {
  left: number
  onShow: () => void
}

/** Shows the next of what is left; nothing is. */
export function ShowMore({ left, onShow }: ShowMoreProps) {
  if (left <= 0) return null
  const next = Math.min(left, MORE)
  return (
    <Button variant="ghost" size="sm" className="m-1" onClick={onShow}>
      {next.toLocaleString('en')} more{left > next && ` of ${left.toLocaleString('en')}`}
    </Button>
  )
}
