import type { ReactNode } from 'react'
import { errorMessage } from './errors.ts'

const TOAST_LIMIT = 1
export const TOAST_DURATION_MS = 5000
const TOAST_REMOVE_DELAY_MS = 1_000_000

export interface ToastOptions {
  title: string
  description?: ReactNode
  variant?: 'default' | 'destructive'
  action?: { label: string; onPress: () => void }
  duration?: number
  isSilent?: boolean
  detail?: string
  onGone?: () => void
}

export interface ToastEntry extends ToastOptions {
  id: number
  open: boolean
}

let toasts: readonly ToastEntry[] = []
let lastId = 0
const listeners = new Set<() => void>()

export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  getSnapshot: () => toasts,
}

export function toast(options: ToastOptions): number {
  lastId += 1
  const id = lastId
  const gone = toasts.slice(TOAST_LIMIT - 1).filter(({ open }) => open)
  publish([{ ...options, id, open: true }, ...toasts].slice(0, TOAST_LIMIT))
  for (const entry of gone) entry.onGone?.()
  return id
}

/** For a write's `onError`: says under a title why it failed. */
export const toastFailure =
  (title: string, reasonOf: (error: unknown) => string = errorMessage) =>
  (error: unknown): void =>
    void toast({ title, description: reasonOf(error), variant: 'destructive' })

export function dismissToast(id: number): void {
  const dismissed = toasts.find((entry) => entry.id === id && entry.open)
  if (dismissed === undefined) return
  publish(toasts.map((entry) => (entry.id === id ? { ...entry, open: false } : entry)))
  setTimeout(() => publish(toasts.filter((entry) => entry.id !== id)), TOAST_REMOVE_DELAY_MS)
  dismissed.onGone?.()
}

function publish(next: readonly ToastEntry[]) {
  toasts = next
  for (const listener of listeners) listener()
}
