const NAMED = /\{\{-?\s*([A-Za-z0-9_]{1,50})\s*-?\}\}/g

/** A tag that is closed: one that is only opened, as `{# x`, is plain text. */
const TAG = /\{\{[^{}]*\}\}|\{%[^%]*%\}|\{#[^#]*#\}/

/** `{{x}}` as `$<x>`; undefined for a template that says more than names. */
export function fromTemplate(text: string): string | undefined {
  const converted = text.replace(NAMED, (_, name: string) => `$<${name}>`)
  return TAG.test(converted) ? undefined : converted
}

export function toTemplate(text: string): string {
  return text.replace(/\$<([A-Za-z0-9_]+)>/g, (_, name: string) => `{{${name}}}`)
}

export function isFileReference(value: unknown): boolean {
  return typeof value === 'string' && /^(file|package|https?|huggingface|python|javascript|exec):/.test(value)
}
