// How a command is found when it is run.

/** Runs a command of a module that is loaded only then: most commands need a small part of the program. */
export const from =
  <Args extends unknown[]>(load: () => Promise<(...args: Args) => unknown>) =>
  async (...args: Args): Promise<void> => {
    await (
      await load()
    )(...args)
  }
