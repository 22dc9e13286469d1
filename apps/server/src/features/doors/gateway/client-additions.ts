interface ClientAddition {
  client: string
  version: string
  example: string
  isFound(part: string): boolean
}

function isOnlyBlocks(tag: string) {
  const [start, end] = [`<${tag}>`, `</${tag}>`]
  return (part: string): boolean => {
    let at = 0
    while (part.startsWith(start, at)) {
      const close = part.indexOf(end, at)
      if (close === -1) return false
      at = close + end.length
      while (at < part.length && part.charAt(at).trim() === '') at += 1
    }
    return at > 0 && at === part.length
  }
}

const isReminder = isOnlyBlocks('system-reminder')
const BILLING = /^x-anthropic-billing-header: cc_version=[^\n]*$/

/** The known forms (D65): they are kept with the call, and no part of what the person asks. */
export const CLIENT_ADDITIONS: readonly ClientAddition[] = [
  {
    client: 'Claude Code',
    version: '2.1.330',
    example: '<system-reminder>\nToday’s date is 2026-11-23.\n</system-reminder>\n',
    isFound: isReminder,
  },
  {
    client: 'Claude Code',
    version: '2.1.330',
    example: 'x-anthropic-billing-header: cc_version=2.1.330.839; cc_entrypoint=sdk-cli;',
    isFound: (part) => BILLING.test(part),
  },
  {
    client: 'Codex',
    version: '0.169.0',
    example: '<environment_context>\n  <cwd>/home/anna</cwd>\n  <shell>bash</shell>\n</environment_context>',
    isFound: isOnlyBlocks('environment_context'),
  },
  {
    client: 'OpenCode',
    version: '1.18.33',
    example: '<system-reminder>\nPlan mode is active.\n</system-reminder>',
    isFound: isReminder,
  },
]

export function isClientAddition(part: string): boolean {
  return CLIENT_ADDITIONS.some(({ isFound }) => isFound(part))
}
