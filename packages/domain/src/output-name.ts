import { CHAIN_INPUT_NAMES, OUTPUT_NAME_MAX } from '@catenary/contracts'

export function outputNameFor({ title, taken }: { title: string; taken: readonly string[] }): string {
  const words = title
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const plain = words.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '') || 'output'
  const used = new Set([...CHAIN_INPUT_NAMES, ...taken].map((name) => name.toLowerCase()))
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `_${count}`
    const name = plain.slice(0, OUTPUT_NAME_MAX - suffix.length) + suffix
    if (!used.has(name)) return name
  }
}
