import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({
  extend: { theme: { radius: ['tag', 'control', 'card', 'dialog'], shadow: ['float'] } },
})

/** Joins class names; of two that set the same property the last one wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes))
}

export function cspNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
}
