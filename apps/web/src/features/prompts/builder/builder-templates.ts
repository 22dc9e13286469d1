export const BUILDER_TEMPLATES = [
  {
    name: 'Decision Confirmation',
    text: [
      'Before any decision that changes scope, structure, data or cost, stop and ask me.',
      'State the decision, give two or three options with what each gains and gives up, say which one you recommend and why, then wait for my answer.',
      'Settle small, reversible details yourself and list them at the end.',
    ].join(' '),
  },
  {
    name: 'Code Standards Enforcement',
    text: [
      'Follow the conventions that the project already has for names, structure, formatting and errors: read the neighbouring code before you write any.',
      'Keep functions small and typed, add no dependency and no dead code, and cover every change with a test.',
      'Before you finish, run the formatter, the linter, the type checker and the tests, and report what each of them said. If a rule has to be broken, say which one and why.',
    ].join(' '),
  },
  {
    name: 'Performance Optimization',
    text: [
      'Treat speed and memory as requirements. Measure before you change anything, and name the figure, the tool and the starting value.',
      'Take the largest cost first: needless work, repeated queries, extra copies, blocking calls. State how the time and memory of what you write grow with its input.',
      'Show the figures before and after, and keep the clearer version where the gain is within the noise.',
    ].join(' '),
  },
  {
    name: 'No Workarounds',
    text: [
      'Fix the cause, not the symptom. No hard-coded special cases, silenced errors, skipped tests, retries that hide a fault, or notes to do it properly later.',
      'If the proper solution is out of reach, stop, explain what stands in its way and what it would take, and do not work around it.',
    ].join(' '),
  },
] as const

/** The preferences with that instruction added, or without it if they hold it already. */
export function toggleTemplate({ preferences, text }: { preferences: string; text: string }): string {
  const rest = preferences.trim()
  if (!rest.includes(text)) return rest === '' ? text : `${rest}\n\n${text}`
  return rest
    .replace(text, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
