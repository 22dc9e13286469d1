import { TagChip } from '../library/tags/tag-chip.tsx'

/** A tag of a case, which has a name alone; the same name is always the same colour. */
export function TagName({ name, className }: { name: string; className?: string }) {
  return <TagChip tag={{ id: hueOf(name), name }} {...(className && { className })} />
}

function hueOf(name: string): number {
  return [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 10_007, 1)
}
