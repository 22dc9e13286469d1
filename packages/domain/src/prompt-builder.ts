export interface PromptBuilderInput {
  aiTask: string
  userPrefs?: string
  standards?: string
  errorHandling?: string
  feedback?: string
}

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
