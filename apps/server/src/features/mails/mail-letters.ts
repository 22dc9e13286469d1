import type { Letter } from '../../platform/mail/letter.ts'

/** Asks an address once; it names nothing that a stranger could have written. */
export function questionLetter({
  username,
  publicUrl,
  confirmUrl,
}: {
  username: string
  publicUrl: string
  confirmUrl: string
}): Letter {
  return {
    subject: `May ${username} send you results by mail?`,
    paragraphs: [
      `${username} wants to send you results of scheduled runs from Catenary at ${publicUrl}.`,
      'Nothing is sent unless you say yes. If you do not know what this is about, leave it: you are not asked again.',
    ],
    markdown: '',
    links: [{ label: 'Yes, send them to me', href: confirmUrl }],
  }
}

export function testLetter({ publicUrl }: { publicUrl: string }): Letter {
  return {
    subject: 'Test mail from Catenary',
    paragraphs: ['Mail from Catenary arrives.'],
    markdown: '',
    links: [{ label: 'Open Catenary', href: publicUrl }],
  }
}
