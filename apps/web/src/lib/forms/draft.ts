import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type * as z from 'zod'
import { readStored } from './read-stored.ts'

const DRAFT_DEBOUNCE_MS = 400
const PREFIX = 'catenary.draft.'

let handedOver: string | null = null

export interface DraftOptions {
  key: string
  values: unknown
  dirty: boolean
}

export function useDraft({ key, values, dirty }: DraftOptions) {
  const [isKept, setIsKept] = useState(false)
  const isOver = useRef(false)
  const text = dirty ? JSON.stringify(values) : null

  const keep = (text: string | null) => {
    if (isOver.current) return
    if (text !== null) setIsKept(store({ key, text }))
    else if (isKept) remove(key)
  }
  const keepLatest = useEffectEvent(() => keep(text))
  const keepNow = useEffectEvent(keep)

  useEffect(() => {
    const timer = setTimeout(() => keepNow(text), DRAFT_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    handedOver = null
  }, [])
  // Neither the browser's Back nor a reload may lose the last keys.
  useEffect(() => {
    const leave = () => keepLatest()
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      keepLatest()
    }
  }, [])

  return {
    isKept: isKept && dirty,
    handOver() {
      keep(text)
      handedOver = key
    },
    /** What was kept is saved; later changes are kept again. */
    forget: () => remove(key),
    discard() {
      isOver.current = true
      remove(key)
    },
  }
}

export function isHandedOver(key: string): boolean {
  return handedOver === key
}

export function readDraft<Schema extends z.ZodType>({ key, schema }: { key: string; schema: Schema }) {
  return readStored({ storage: () => localStorage, key: PREFIX + key, schema })
}

function store({ key, text }: { key: string; text: string }): boolean {
  try {
    localStorage.setItem(PREFIX + key, text)
    return true
  } catch {
    // No room, or storage is refused: the form works without.
    return false
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key)
  } catch {}
}
