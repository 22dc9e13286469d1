/** The name of the constraint that refused a statement; undefined for any other failure. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    if ('constraint' in link && typeof link.constraint === 'string') return link.constraint
  }
  return undefined
}
