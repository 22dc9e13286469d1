import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

const COPIED_MS = 2000

export type CopiedText = string | (() => string | Promise<string>)

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
