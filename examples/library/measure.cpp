// measure: lets an agent of the library play games on two threads and prints the mean lines per
// game. In C++, where the handles free themselves.
//
//     c++ measure.cpp -o measure $(pkg-config --cflags --libs tetropt)
//     ./measure dt20
#include <cstdio>
#include <memory>
#include <tetropt.h>

template <auto release> struct Releases {
    template <typename Handle> void operator()(Handle *handle) const { release(handle); }
};
using Game = std::unique_ptr<tetropt_game, Releases<tetropt_game_free>>;
using Agent = std::unique_ptr<tetropt_agent, Releases<tetropt_agent_free>>;
using Simulation = std::unique_ptr<tetropt_simulation, Releases<tetropt_simulation_free>>;

int main(int count, char **arguments) {
    Game game(tetropt_game_new());
    Agent agent(tetropt_agent_new());
    Simulation simulation(tetropt_simulation_new());
    if (!game || !agent || !simulation)
        return 1;
    const char *name = count > 1 ? arguments[1] : "dt20";
    if (tetropt_agent_set(agent.get(), "agent", name) != TETROPT_OK) {
        std::fprintf(stderr, "measure: %s\n", tetropt_agent_message(agent.get()));
        return 1;
    }
    tetropt_game_set(game.get(), "rules", "drop");
    tetropt_game_set(game.get(), "randomizer", "uniform");
    tetropt_game_set(game.get(), "height", "10");
    tetropt_simulation_set(simulation.get(), "games", "50");
    tetropt_simulation_set(simulation.get(), "threads", "2");
    double mean, low, high;
    if (tetropt_simulation_run(simulation.get(), agent.get(), game.get()) != TETROPT_OK ||
        tetropt_simulation_mean(simulation.get(), "lines", &mean, &low, &high) != TETROPT_OK) {
        std::fprintf(stderr, "measure: %s\n", tetropt_simulation_message(simulation.get()));
        return 1;
    }
    std::printf("%s: %lld games, %g lines per game (95 %%: %g to %g)\n", name,
                static_cast<long long>(tetropt_simulation_games(simulation.get())), mean, low,
                high);
    return 0;
}
