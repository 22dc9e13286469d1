import type { ValueOrigin } from '@catenary/contracts'

/** A value that only who ran it could see; without the note it counts as one. */
function isPrivateOrigin({ type, isPrivate }: ValueOrigin): boolean {
  return type !== 'typed' && type !== 'none' && isPrivate !== false
}

/** Whether one of the values that a text took in is private. */
export function usesPrivateValues(resolved: Record<string, ValueOrigin>): boolean {
  return Object.values(resolved).some(isPrivateOrigin)
}
