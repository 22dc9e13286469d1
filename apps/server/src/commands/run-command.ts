import { Command, CommanderError } from 'commander'
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
  'take the password from standard input, rather than make one up',
] as const
const JSON_OUTPUT = ['--json', 'for programs to read'] as const

const DOCTOR_HELP = `
Run it as the user that Catenary runs as, in the folder it starts from, while it runs: then the way through
PUBLIC_URL and its proxy is looked at too. It changes nothing and sends no mail. A stopped Catenary's embedded
database is opened for a moment; a running one's is left alone. It ends with 0 where all is well, and with 1
where something is to be done.`

const ROTATE_KEY_HELP = `
A key that is kept in DATA_DIR: stop Catenary, then call this. A key that is set, with any number of processes:
1. set SECRET_KEY_ALSO to the new key in each process, and restart them one by one;
2. set SECRET_KEY to the new key and SECRET_KEY_ALSO to the earlier one, and restart them one by one;
3. call this with those settings, while they serve; it refuses where a process isn't as far;
4. take SECRET_KEY_ALSO out.
Killed at any moment, it goes on when it is called again.`

const RESTORE_HELP = `
It needs the SECRET_KEY that the backup was made with; where none is set, and the backup has it inside, its passphrase
is the first line of standard input. Sessions end, and tokens are off until their owners give them a new date.`

export async function runCommand(argv: string[]): Promise<void> {
  const program = new Command('catenary')
    .description('Keep, run, chain and schedule prompts; call a chain as if it were a model.')
    .version(describeVersion(readVersion()))
    .addHelpText(
      'after',
      '\nSettings come from these options, the environment and .env in this folder; list-settings shows them.',
    )
    .option('--port <port>', 'where it listens, in place of PORT')
    .option('--host <address>', 'where it listens, in place of HOST')
    .option('--data <folder>', 'where data are, in place of DATA_DIR')
    .hook('preAction', (command) => takeFlags(command.opts()))
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
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
    .description('give an account a new password, and sign it out everywhere')
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
    .option('--models', 'also call each model once, with a question that costs next to nothing')
    .option(...JSON_OUTPUT)
    .addHelpText('after', DOCTOR_HELP)
    .action(async (options) => end((await import('./doctor/doctor.ts')).examine(options)))
  program
    .command('compact')
    .description('return space freed by deletions to the disk; stop Catenary first')
    .action(async () => say((await import('./compact.ts')).compactDatabase()))
  program
    .command('rotate-key')
    .description('seal everything stored sealed with a new key, and retire the old one')
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
The settings say where everything is now. An embedded database is moved while Catenary is stopped; beside a PostgreSQL
it may run, and refuses to write meanwhile. Running runs continue on the other side. What is here stays as it is, and
starts again only with "catenary start --reopen". Cut short, it goes on when it is run again.`

function addMove(program: Command): void {
  program
    .command('move')
    .description('move everything to another database, embedded or PostgreSQL')
    .requiredOption('--to <database>', 'embedded, or the postgres://… of an empty database')
    .addHelpText('after', MOVE_HELP)
    .action(async (options) => say((await import('./move.ts')).moveTo(options)))
}

function backupCommands(program: Command): void {
  program
    .command('backup')
    .description('write a copy of the database to a file, while it is served or not')
    .argument('<file>', 'where; it must not exist')
    .option('--with-key', 'keep SECRET_KEY in it, under a passphrase: the first line of standard input')
    .action(async (file: string, options) => say((await import('./backup.ts')).backUp(file, options)))
  program
    .command('verify')
    .description('read all of a backup, and say whether it is intact and what it holds')
    .argument('<file>')
    .action(async (file: string) => say((await import('./verify.ts')).verify(file)))
  program
    .command('restore')
    .description('put a backup where there is no database; Catenary must not run there')
    .argument('<file>')
    .option('--resume-work', 'resume schedules, emails, jobs and runs that were pending in it')
    .addHelpText('after', RESTORE_HELP)
    .action(async (file: string, options) => say((await import('./restore.ts')).restore(file, options)))
}

const UPGRADE_HELP = `
Run the new version's command with the settings of the one that is in use, whose Catenary may run. Nothing is changed:
the copy is restored in the data directory, in a folder of its own, and thrown away. It ends with 1 where the upgrade
would fail, or has no room.`

function addUpgrade(program: Command): void {
  program
    .command('upgrade')
    .description('say what an upgrade to this version would do')
    .option('--rehearse [file]', 'try it with a copy: this backup, or one that is made now')
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
