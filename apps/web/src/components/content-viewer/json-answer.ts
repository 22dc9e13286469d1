export interface JsonAnswer {
  isValid: boolean
  isRepaired: boolean
  problems: readonly { path: string; message: string }[]
  /** Values that a repair changed; null: there was none. A path is written as `items[0].title`. */
  repairs: readonly { path: string; before: string | null }[]
}

export function pathWithin(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  return path === '' ? step : `${path}.${step}`
}
