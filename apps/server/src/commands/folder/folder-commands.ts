import type { Command } from 'commander'
import { end } from '../say.ts'

const FOLDER_HELP = `
CATENARY_URL is the address of the server, and CATENARY_TOKEN a folder token, which the Connect page makes. It reads and
writes what its creator owns. Nothing here runs git: the folder is yours, and what you commit is too.`
const CONFLICTS_HELP = `
Files changed on both sides are named and left alone; the command ends with 1. Pull with --merge, choose, push again.`

const EXIT_HELP = `
It ends with 0 where all that can be run here passed, and with 1 where not.`

export function addFolderCommands(program: Command): void {
  const speaking = (name: string, does: string, help: string) =>
    program
      .command(name)
      .description(does)
      .option('--url <address>', 'of the server; default: CATENARY_URL')
      .addHelpText('after', FOLDER_HELP + help)
  speaking('pull', 'write what the server has into a folder', CONFLICTS_HELP)
    .argument('[folder]', 'where', '.')
    .option('--label <label>', 'the version that this label points to', 'latest')
    .option(
      '--merge',
      'write both versions into a file that changed on both sides, between markers like Git’s',
    )
    .action(async (folder: string, options) => end((await import('./pull.ts')).pull({ folder, ...options })))
  speaking('push', 'make new versions of what differs in a folder', CONFLICTS_HELP)
    .argument('[folder]', 'which', '.')
    .option('-m, --message <text>', 'note of the new versions')
    .option('--label <label>', 'move this label, unless it is protected, to what is pushed')
    .option('--base <folder>', 'what the server had before, as another checkout; default: catenary.lock')
    .option('--dry-run', 'only say what it would do')
    .action(async (folder: string, options) => end((await import('./push.ts')).push({ folder, ...options })))
  speaking('diff', 'say how a folder differs from what the server has', '')
    .argument('[folder]', 'which', '.')
    .option('--label <label>', 'what runs: the version that this label points to', 'latest')
    .option('--check', 'end with 1 where there is a difference')
    .action(async (folder: string, options) =>
      end((await import('./diff.ts')).diffFolder({ folder, ...options })),
    )
  speaking('evaluate', 'run a test suite on the server, as a gate', EXIT_HELP)
    .requiredOption('--suite <suite>', 'its path in the folder, or such as refund-reply/tone')
    .option('--label <label>', 'the version that is tested', 'candidate')
    .option('--model <alias>', 'the model that answers; a prompt that names none needs it')
    .option('--judge <alias>', 'the model that grades where a test asks for one')
    .option('--ceiling <dollars>', 'no further test starts once this is spent', '1')
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--timeout <seconds>', 'give up waiting', '3600')
    .action(async (options) => end((await import('./evaluate.ts')).evaluate(options)))
}
