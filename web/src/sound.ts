// sound: short tones for what happens in a game. Off until it is switched on.

const STORED = "sound";

type Event = "lock" | "clear" | "tetris" | "over";

const tones: Record<Event, [frequency: number, ms: number][]> = {
  lock: [[180, 40]],
  clear: [[520, 70], [660, 70]],
  tetris: [[520, 70], [660, 70], [880, 140]],
  over: [[300, 150], [200, 250]],
};

export class Sound {
  private context: AudioContext | undefined;
  readonly toggle: HTMLInputElement;

  constructor() {
    this.toggle = document.createElement("input");
    this.toggle.type = "checkbox";
    try {
      this.toggle.checked = localStorage.getItem(STORED) === "on";
      this.toggle.addEventListener("change", () => localStorage.setItem(STORED, this.toggle.checked ? "on" : "off"));
    } catch {
      // off at the next visit
    }
  }

  play(event: Event): void {
    if (!this.toggle.checked) return;
    this.context ??= new AudioContext();
    let start = this.context.currentTime;
    for (const [frequency, ms] of tones[event]) {
      const tone = new OscillatorNode(this.context, { type: "triangle", frequency });
      const volume = new GainNode(this.context, { gain: 0.1 });
      tone.connect(volume).connect(this.context.destination);
      tone.start(start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + ms / 1000);
      start += ms / 1000;
      tone.stop(start);
    }
  }

  leave(): void {
    void this.context?.close();
  }
}
