export function violatedConstraint(error: unknown): string | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    if ('constraint' in link && typeof link.constraint === 'string') return link.constraint
  }
  return undefined
}
