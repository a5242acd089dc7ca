// page: what every page is: something that is shown and, when it is left, stops what it does.

export interface Page {
  name: string; // in the address, behind the #
  title: string;
  show(place: HTMLElement): () => void; // gives what is to be done when the page is left
}

/** Calls back on every frame of the screen with the milliseconds that passed, until stopped. */
export function everyFrame(act: (elapsed: number) => void): () => void {
  let last = performance.now();
  let handle = requestAnimationFrame(function tick(now: number) {
    act(Math.min(250, Math.max(0, now - last)));
    last = now;
    handle = requestAnimationFrame(tick);
  });
  return () => cancelAnimationFrame(handle);
}
