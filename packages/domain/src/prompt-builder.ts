/** What the Advanced builder asks for; all but the task are optional. */
export interface PromptBuilderInput {
  aiTask: string
  userPrefs?: string
  standards?: string
  errorHandling?: string
  feedback?: string
}

/** Writes the prompt of the Advanced builder: labelled sections in a fixed order, blank optional ones left out. */
export function buildPrompt({
  aiTask,
  userPrefs = '',
  standards = '',
  errorHandling = '',
  feedback = '',
}: PromptBuilderInput): string {
  const optional = [
    { label: 'Preferences', text: userPrefs },
    { label: 'Standards', text: standards },
    { label: 'Error Handling', text: errorHandling },
    { label: 'Feedback Requirements', text: feedback },
  ].filter(({ text }) => text.trim() !== '')
  return [{ label: 'Task', text: aiTask }, ...optional]
    .map(({ label, text }) => `${label}:\n${text.trim()}`)
    .join('\n\n')
}
