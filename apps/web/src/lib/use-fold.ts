import { useId, useState } from 'react'

/** What a button opens below itself and closes again: what the button and the opened part are given. */
export function useFold(isOpenAtFirst = false) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const id = useId()
  return {
    isOpen,
    button: { 'aria-expanded': isOpen, 'aria-controls': id, onClick: () => setIsOpen(!isOpen) },
    panel: { id, hidden: !isOpen },
  }
}

export type FoldState = ReturnType<typeof useFold>
