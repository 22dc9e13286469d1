import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type * as z from 'zod'

/** Rest after the last change before the draft is written. */
const DRAFT_DEBOUNCE_MS = 400
const PREFIX = 'catenary.draft.'

/** The draft that one form has just kept for another. */
let handedOver: string | null = null

export interface DraftOptions {
  /** Identifies the form, what it edits, and for whom. */
  key: string
  values: unknown
  /** A form without changes keeps no draft. */
  dirty: boolean
}

/** Keeps a form's unsaved values on this device until `discard`. */
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
  // Neither the browser's way back nor a reload may lose the last keys.
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
    /** Keeps it now, as another form is about to take it over. */
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

/** Whether the person had that draft in view a moment ago, in another form. */
export function isHandedOver(key: string): boolean {
  return handedOver === key
}

/** The draft of that key, if there is one that still fits the form. */
export function readDraft<Schema extends z.ZodType>({
  key,
  schema,
}: {
  key: string
  schema: Schema
}): z.output<Schema> | null {
  try {
    const text = localStorage.getItem(PREFIX + key)
    return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)
  } catch {
    return null
  }
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
