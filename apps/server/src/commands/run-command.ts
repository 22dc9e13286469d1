import { Command, CommanderError } from 'commander'
import { StartError } from '../errors.ts'
import { type Settings, takeFlags } from '../platform/settings/settings.ts'
import { explainStartFailure } from '../platform/start-failure.ts'
import { describeVersion, readVersion } from '../version.ts'
import { addFolderCommands } from './folder/folder-commands.ts'
import { end, FAILED, say } from './say.ts'

/** Its exit code where the command was not understood. */
const MISUSED = 2
/** Node's own name and the program's are all that there is. */
const NO_ARGUMENTS = 2
const PASSWORD_STDIN = [
  '--password-stdin',
  'read the password from standard input instead of generating one',
] as const
const JSON_OUTPUT = ['--json', 'print JSON for programs'] as const

const DOCTOR_HELP = `
Run it as the user that Catenary runs as, in the folder it starts from, while Catenary is running, so that PUBLIC_URL and its proxy are checked too. It changes nothing and sends no email. If Catenary is stopped, its embedded database is opened briefly; otherwise it is left alone. The exit code is 0 if all is well, and 1 if there is something to do.`

const ROTATE_KEY_HELP = `
If the key is kept in DATA_DIR: stop Catenary, then run this. If the key is set, with any number of processes: 1. set SECRET_KEY_ALSO to the new key in each process, and restart them one by one; 2. set SECRET_KEY to the new key and SECRET_KEY_ALSO to the earlier one, and restart them one by one; 3. run this with those settings while they serve; it refuses if a process isn't ready; 4. remove SECRET_KEY_ALSO. If it is killed, run it again to continue.`

const RESTORE_HELP = `
It needs the SECRET_KEY that the backup was made with. If none is set and the backup contains it, the passphrase is the first line of standard input. Everyone is signed out, and tokens are off until their owners set a new expiry date.`

export async function runCommand(argv: string[]): Promise<void> {
  const program = new Command('catenary')
    .description('Keep, run, chain and schedule prompts; call a chain as if it were a model.')
    .version(describeVersion(readVersion()))
    .addHelpText(
      'after',
      '\nSettings come from these options, the environment and .env in this folder; list-settings shows them.',
    )
    .option('--port <port>', 'port to listen on, instead of PORT')
    .option('--host <address>', 'address to listen on, instead of HOST')
    .option('--data <folder>', 'folder for the data, instead of DATA_DIR')
    .hook('preAction', (command) => takeFlags(command.opts()))
    .exitOverride()
    .showHelpAfterError('(--help shows all commands)')
  const serving = (name: string, does: string, role?: Settings['role']) =>
    program
      .command(name)
      .description(does)
      .option('--resume-work', 'let a restored copy resume its work')
      .action(async ({ reopen, resumeWork }: { reopen?: boolean; resumeWork?: boolean }) =>
        (await import('../program.ts')).serve({ role, reopen, resumeWork }),
      )
  serving('start', 'serve the app and run background work (the default)').option(
    '--reopen',
    'reopen a database that was moved to another one',
  )
  serving('web', 'serve only the app; needs DATABASE_URL and SECRET_KEY', 'web')
  serving('worker', 'run only background work; needs DATABASE_URL and SECRET_KEY', 'worker')
  program
    .command('create-admin')
    .description('create an administrator account')
    .requiredOption('--username <name>', 'username to sign in with')
    .requiredOption('--email <address>', 'email address')
    .option(...PASSWORD_STDIN)
    .action(async (options) => say((await import('./accounts.ts')).createAdminAccount(options)))
  program
    .command('reset-password')
    .description('set a new password for an account, and sign it out everywhere')
    .argument('<account>', 'username or email address')
    .option(...PASSWORD_STDIN)
    .action(async (account: string, options) =>
      say((await import('./accounts.ts')).resetAccountPassword({ account, ...options })),
    )
  program
    .command('list-settings')
    .description('show every setting, its value and where it comes from')
    .option(...JSON_OUTPUT)
    .action(async (options) => say((await import('./list-settings.ts')).describeSettings(options)))
  program
    .command('doctor')
    .description('check settings, files, database, PUBLIC_URL and mail, and say what to do')
    .option('--models', 'also call each model once, with a question that costs almost nothing')
    .option(...JSON_OUTPUT)
    .addHelpText('after', DOCTOR_HELP)
    .action(async (options) => end((await import('./doctor/doctor.ts')).examine(options)))
  program
    .command('compact')
    .description('return space freed by deletions to the disk; stop Catenary first')
    .action(async () => say((await import('./compact.ts')).compactDatabase()))
  program
    .command('rotate-key')
    .description('re-encrypt everything stored encrypted with a new key, and retire the old one')
    .addHelpText('after', ROTATE_KEY_HELP)
    .action(async () => say((await import('../keeping/rotate/rotate-key.ts')).rotateKey()))
  addMove(program)
  backupCommands(program)
  addUpgrade(program)
  addFolderCommands(program)
  ownCommands(program)
  try {
    await program.parseAsync(withCommand(program, argv))
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : MISUSED
    else {
      process.stderr.write(`${explainStartFailure(error)}\n`)
      process.exit(FAILED)
    }
  }
}

/** Options alone are those of `start`, but for what is asked of the whole. */
function withCommand(program: Command, argv: string[]): string[] {
  const [own, given] = [argv.slice(0, NO_ARGUMENTS), argv.slice(NO_ARGUMENTS)]
  const names = new Set(['help', ...program.commands.map((command) => command.name())])
  const isOptions = given.every((argument) => !names.has(argument) && !ASKED_OF_ALL.has(argument))
  return isOptions && (given[0] ?? '-').startsWith('-') ? [...own, 'start', ...given] : argv
}

const ASKED_OF_ALL = new Set(['-h', '--help', '-V', '--version'])

const MOVE_HELP = `
The settings say where everything is now. Stop Catenary to move an embedded database; with PostgreSQL it may keep running, and refuses to write in the meantime. Runs in progress continue in the new database. The old one stays as it is, and starts again only with "catenary start --reopen". If the move is interrupted, run it again to continue.`

function addMove(program: Command): void {
  program
    .command('move')
    .description('move everything to another database, embedded or PostgreSQL')
    .requiredOption('--to <database>', 'embedded, or the postgres://… of an empty database')
    .addHelpText('after', MOVE_HELP)
    .action(async (options) => say((await import('./move.ts')).moveTo(options)))
}

const VERIFY_HELP = `
With --activity it reads every row of the activity and its chain. The exit code is 0 if nothing was changed by hand, and 1 with the first row that was and its day. The embedded database is checked while Catenary is stopped.`

async function verify(file: string | undefined, { activity = false }: { activity?: boolean }): Promise<void> {
  if (activity) return end((await import('./verify-activity.ts')).verifyOwnActivity())
  if (file === undefined) throw new StartError('Name the backup to verify, or add --activity.')
  return say((await import('./verify.ts')).verify(file))
}

function backupCommands(program: Command): void {
  program
    .command('backup')
    .description('write a copy of the database to a file, whether Catenary is running or not')
    .argument('<file>', 'the file to write; it must not exist')
    .option('--with-key', 'include SECRET_KEY, encrypted with a passphrase: the first line of standard input')
    .action(async (file: string, options) => say((await import('./backup.ts')).backUp(file, options)))
  program
    .command('verify')
    .description('read a whole backup, and say whether it is intact and what it contains')
    .argument('[file]')
    .option(
      '--activity',
      'check the activity of this installation instead: was a row changed, removed or added?',
    )
    .addHelpText('after', VERIFY_HELP)
    .action(verify)
  program
    .command('restore')
    .description('restore a backup to where there is no database; Catenary must not be running there')
    .argument('<file>')
    .option('--resume-work', 'resume schedules, emails, jobs and runs that were pending in it')
    .addHelpText('after', RESTORE_HELP)
    .action(async (file: string, options) => say((await import('./restore.ts')).restore(file, options)))
}

const UPGRADE_HELP = `
Run the new version's command with the settings of the current one, which may keep running. Nothing is changed: the copy is restored in its own folder in the data directory, then deleted. The exit code is 1 if the upgrade would fail or there is not enough space.`

function addUpgrade(program: Command): void {
  program
    .command('upgrade')
    .description('show what an upgrade to this version would do')
    .option('--rehearse [file]', 'try it on a copy: this backup, or one made now')
    .option(...JSON_OUTPUT)
    .addHelpText('after', UPGRADE_HELP)
    .action(async (options) => end((await import('./upgrade.ts')).upgrade(options)))
}

function ownCommands(program: Command): void {
  program
    .command('drill', { hidden: true })
    .argument('<file>')
    .action(async (file: string) => (await import('../keeping/drill/drill.ts')).drill(file))
}
