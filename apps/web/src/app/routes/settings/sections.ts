export interface SettingsSection {
  /** The last part of its address. */
  id: SectionId
  title: string
  /** What the list of a phone says of it. */
  about: string
  /** The palette finds it by these words as well. */
  keywords: string
}

export interface SettingsGroup {
  title: string
  sections: readonly SettingsSection[]
}

const YOURS = [
  { id: 'profile', title: 'Profile', about: 'Your name and email address', keywords: 'account email mail' },
  { id: 'password', title: 'Password', about: 'Change your password', keywords: 'security sign in' },
  { id: 'sessions', title: 'Sessions', about: 'Where you are signed in', keywords: 'devices sign out' },
  {
    id: 'appearance',
    title: 'Appearance',
    about: 'Theme, density, single-key shortcuts',
    keywords: 'theme dark light density shortcuts keys',
  },
  {
    id: 'default-model',
    title: 'Default model',
    about: 'The model that runs and new steps start with',
    keywords: 'usual favourite begin execute',
  },
  {
    id: 'time-zone',
    title: 'Time zone',
    about: 'The time zone used for all times',
    keywords: 'clock utc local',
  },
  {
    id: 'notifications',
    title: 'Notifications',
    about: 'What you are told, on the page and by email',
    keywords: 'messages mail email alerts asks failures budgets schedules tell',
  },
  {
    id: 'ownership',
    title: 'Ownership',
    about: 'What is offered to you, and what you offer',
    keywords: 'hand over owner transfer offers accept decline take back give',
  },
] as const
const GROUPS = {
  id: 'groups',
  title: 'Groups',
  about: 'Several people, shared with at once',
  keywords: 'teams members leaders share people everyone',
} as const
const ACTIVITY = {
  id: 'activity',
  title: 'Activity',
  about: 'Who did what, and when',
  keywords: 'audit log history security sign-ins changes who',
} as const
const INSTALLATIONS = [
  {
    id: 'models',
    title: 'Models',
    about: 'Providers, keys, and who may use what',
    keywords: 'provider key api anthropic openai gemini ollama vendor prices access',
  },
  { id: 'people', title: 'People', about: 'Accounts and roles', keywords: 'users accounts admin disable' },
  GROUPS,
  {
    id: 'quotas',
    title: 'Limits and budgets',
    about: 'How much each person can store and spend',
    keywords: 'quotas bounds money spending usage',
  },
  {
    id: 'organise',
    title: 'Tags and labels',
    about: 'Categories, tags and protected labels',
    keywords: 'organise organize categories rename merge delete protected production',
  },
  {
    id: 'schedules',
    title: 'Schedules',
    about: 'Pause them all, send a test email',
    keywords: 'pause mail smtp',
  },
  {
    id: 'backups',
    title: 'Backups',
    about: 'Copies of everything, and how long to keep runs',
    keywords: 'storage restore copies retention cleanup disk space move postgresql',
  },
  {
    id: 'processes',
    title: 'Processes',
    about: 'What Catenary is doing now',
    keywords: 'live runs jobs queue database stop',
  },
  ACTIVITY,
  { id: 'examples', title: 'Examples', about: 'Add or remove them', keywords: 'samples start demo' },
  { id: 'general', title: 'General', about: 'Debug mode', keywords: 'debug log version' },
] as const

export type SectionId = (typeof YOURS | typeof INSTALLATIONS)[number]['id']

export function settingsGroups({ isAdmin }: { isAdmin: boolean }): readonly SettingsGroup[] {
  return [
    { title: 'You', sections: YOURS },
    { title: 'This installation', sections: isAdmin ? INSTALLATIONS : [GROUPS, ACTIVITY] },
  ]
}
