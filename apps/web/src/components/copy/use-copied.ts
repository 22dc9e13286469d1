import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

/** How long a button says that it copied. */
const COPIED_MS = 2000

/** What to copy, or where it comes from. */
export type CopiedText = string | (() => string | Promise<string>)

/** Copies a text; `isCopied` for two seconds after. */
export function useCopied({ text, onCopied }: { text: CopiedText; onCopied?: (() => void) | undefined }) {
  const [copiedAt, setCopiedAt] = useState<number | null>(null)
  useEffect(() => {
    if (copiedAt === null) return
    const timer = setTimeout(() => setCopiedAt(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copiedAt])
  const copy = async () => {
    if (!(await copyText(typeof text === 'string' ? text : text()))) return
    setCopiedAt(Date.now())
    onCopied?.()
  }
  return { isCopied: copiedAt !== null, copy }
}
